import { z } from "zod";

import { isLocale } from "../../dates/calendar.js";
import { workflowShape } from "../../graphs/workflow/form.js";
import { modelRoles } from "../../models/model.js";
import { protocols } from "../../models/provider/capabilities.js";
import { replannings } from "../../plan/replanning.js";
import { isTimeZone } from "../../run/clock.js";
import { limitNames } from "../../state/limits.js";
import { handOffCauses } from "../../state/outcome.js";
import { exampleForms, type ExampleKind } from "../../roles/examples.js";
import { ApprovalForm } from "../../tools/approval-form.js";
import { MemoryPath } from "../../tools/policy.js";
import { assistantShape, Knowledge } from "./assistant-fields.js";
import { McpFields } from "./mcp-fields.js";
import { MemoryFields } from "./memory-fields.js";

const text = z.string().trim().min(1);
const Name = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, "expected a name of letters, digits, _ and -, up to 64");

const Spec = z
  .string()
  .regex(
    /^(?:offline|[a-zA-Z][\w-]*:\S.*)$/,
    'expected a model, such as "openai:gpt-5-mini", "ollama:qwen3" or "offline"',
  );
const Specs = z.union([Spec, z.array(Spec).min(1)]);

const Policy = z.strictObject({
  effect: z
    .enum(["read", "idempotent", "write"])
    .optional()
    .describe("What a call does outside: only reads and idempotent calls are repeated"),
  needsApproval: ApprovalForm.optional().describe(
    "Whether a person approves each call, or those in which a parameter compares so",
  ),
  expiresAfter: z.number().positive().optional().describe("Milliseconds for the approval"),
  onExpiry: z.enum(["reject", "hand_off"]).optional(),
  timeoutMs: z.number().positive().optional().describe("Milliseconds for one attempt"),
  maxResultChars: z.int().min(100).optional(),
  volatile: z.boolean().optional().describe("The same call may bring another result"),
  returnDirect: z.boolean().optional().describe("A call that is alone ends the run"),
  grounded: z
    .array(z.string())
    .optional()
    .describe("Parameters whose value must come from the user or a trusted tool"),
  fromMemory: z.record(z.string(), MemoryPath).optional(),
  resultPrompt: text.optional(),
  trust: z.enum(["trusted", "untrusted"]).optional(),
});

const History = z.strictObject({ rounds: z.int().min(1), summarize: z.boolean().optional() });

/** Another agent file, and what it is for. */
const Other = z.strictObject({
  agent: text.describe("The file of the agent, relative to this one"),
  description: text.optional().describe("What it is for; default: the agent's own description"),
});
const OtherAgent = z.union([text, Other]);

const Route = z.union([
  text,
  Other.extend({
    when: text.optional().describe("A regular expression: questions that certainly belong here"),
  }),
]);

/** Worked examples by role; which form those of the planner have depends on the method. */
const Examples = z.strictObject({
  planner: z
    .array(z.union([exampleForms.calls, exampleForms.tasks]))
    .optional()
    .describe("Questions with their plans"),
  agent: z.array(exampleForms.agent).optional().describe("Questions with calls and answers"),
  executor: z.array(exampleForms.agent).optional().describe("Tasks with calls and results"),
});

/** The methods that an agent may use. */
export const methods = [
  "react",
  "rewoo",
  "plan-execute",
  "llm-compiler",
  "router",
  "assistant",
] as const;

/** An agent as a file says it. */
export const AgentFields = z.strictObject({
  $schema: z.string().optional(),
  graph: z.enum(methods).describe("How it works: which graph"),
  name: Name.optional().describe("Default: the name of the file"),
  description: text.optional().describe("What it is for, for those who choose it"),
  model: Specs.optional().describe("The model of every role; several: the next where one fails"),
  models: z
    .partialRecord(z.enum(modelRoles), Specs)
    .optional()
    .describe("Models by role, in place of `model`"),
  protocol: z.enum(protocols).optional().describe("How models call tools"),
  instructions: text.optional().describe("Instructions for every model call"),
  prompts: z.record(z.string(), text).optional().describe("Instructions by role"),
  examples: Examples.optional().describe("Worked examples by role, shown to its model"),
  tools: z
    .array(text)
    .optional()
    .describe("Built-in tools by name; modules as ./tools.js, or ./tools.js:name for one export"),
  services: z.array(text).optional().describe("Files or folders of service definitions"),
  allowHosts: z.array(text).optional().describe("Hosts of services with a private address"),
  mcp: McpFields.optional().describe("MCP servers whose tools it has, by name"),
  knowledge: z.union([text, Knowledge]).optional().describe("A base that a tool searches"),
  agents: z.record(Name, OtherAgent).optional().describe("Other agents as tools, by their names"),
  executors: z
    .record(Name, OtherAgent)
    .optional()
    .describe("The agents to which a plan assigns its tasks, by their names"),
  routes: z.record(Name, Route).optional().describe("The agents of a router, by their names"),
  agent: Route.optional().describe("The agent that does things for an assistant"),
  ...assistantShape,
  memory: MemoryFields.optional().describe("What is known before every model call, by name"),
  memoryTimeoutMs: z.number().min(1).optional(),
  unclear: text.optional().describe('A route for unclear questions; default "ask"'),
  policies: z.record(z.string(), Policy).optional().describe("What tools may do, by their names"),
  limits: z
    .partialRecord(z.enum(limitNames), z.number().positive().nullable())
    .optional()
    .describe("What a run may use; null: without a limit"),
  stepLimits: z.partialRecord(z.enum(limitNames), z.number().positive().nullable()).optional(),
  replanning: z.enum(replannings).optional().describe("When the plan is reconsidered"),
  handOffOn: z.array(z.enum(handOffCauses)).optional().describe("When a person takes over"),
  callFirst: z
    .boolean()
    .optional()
    .describe("Whether it must call a tool before it answers, or carries out a task"),
  reviewPlan: z.boolean().optional().describe("Whether a person reads every plan first"),
  reviewAnswer: z.boolean().optional().describe("Whether a person reads every answer first"),
  returns: workflowShape.returns.describe("The fields of the answer as an object"),
  history: z
    .partialRecord(z.enum(modelRoles), History)
    .optional()
    .describe("How many rounds of the conversation a role reads"),
  timeZone: text.refine(isTimeZone, 'expected a time zone such as "Europe/Berlin"').optional(),
  locale: text.refine(isLocale, 'expected a language such as "de" or "en-GB"').optional(),
  earlyStopping: z.enum(["generate", "force"]).optional(),
  concurrency: z.int().min(1).optional(),
});

/** An agent as it was read from a file. */
export type AgentFile = z.output<typeof AgentFields>;

/** Its method. */
export type Method = AgentFile["graph"];

type ExampleRole = keyof NonNullable<AgentFile["examples"]>;

const planned = ["reviewPlan"] as const;
const answering = ["reviewAnswer", "returns", "examples"] as const;
const ofPlans = ["planner", "agent"];

/** The fields that only some methods have, and the prompts of each. */
export const methodTable: {
  readonly [Name in Method]: {
    readonly prompts: readonly string[];
    /** What the examples of its roles show; none: it takes no examples. */
    readonly examples?: { readonly [Role in ExampleRole]?: ExampleKind };
    readonly fields: readonly (keyof AgentFile)[];
  };
} = {
  react: {
    prompts: ["agent"],
    examples: { agent: "agent" },
    fields: [...answering, "callFirst"],
  },
  rewoo: {
    prompts: [...ofPlans, "solver"],
    examples: { planner: "calls", agent: "agent" },
    fields: [...planned, ...answering],
  },
  "plan-execute": {
    prompts: ["planner", "executor", "replanner"],
    examples: { planner: "tasks", executor: "agent" },
    fields: [...planned, ...answering, "callFirst", "stepLimits", "replanning", "executors"],
  },
  "llm-compiler": {
    prompts: [...ofPlans, "joiner"],
    examples: { planner: "calls", agent: "agent" },
    fields: [...planned, ...answering],
  },
  router: { prompts: ["router"], fields: ["routes", "unclear"] },
  assistant: {
    prompts: ["rewriter", "answerer", "router"],
    fields: ["agent", "unknown", "showSources", "names", "facts"],
  },
};

/** Fields that the agents of a router or an assistant have, and it has not. */
const ofInnerAgents = ["tools", "services", "mcp", "agents", "policies"] as const;

const absent: { readonly [Name in Method]?: readonly (keyof AgentFile)[] } = {
  router: [...ofInnerAgents, "knowledge"],
  assistant: ofInnerAgents,
};

/** The fields of an agent that its method does not have. */
export function fieldsElsewhere(agent: AgentFile): (keyof AgentFile)[] {
  const own = new Set<string>(methodTable[agent.graph].fields);
  const some = new Set(Object.values(methodTable).flatMap(({ fields }) => fields));
  const given = AgentFields.keyof().options.filter((field) => agent[field] !== undefined);
  const others = absent[agent.graph];
  return given.filter(
    (field) =>
      (some.has(field) && !own.has(field)) ||
      others?.includes(field) === true ||
      // Memory may call services, too.
      (field === "allowHosts" && others !== undefined && agent.memory === undefined),
  );
}
