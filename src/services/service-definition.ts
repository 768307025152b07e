import { ServiceFields } from "./definition.js";
import { definitionProblems } from "./definition-problems.js";

/** A service that a tool is made of: its fields, and that they fit together. */
export const ServiceDefinition = ServiceFields.superRefine((service, context) => {
  for (const { path, message, input } of definitionProblems(service)) {
    context.addIssue({ code: "custom", path: [...path], message, input });
  }
});
