export type { Service, ServiceInput } from "./definition.js";
export { loadServices, readServices } from "./load-services.js";
export {
  type McpClient,
  type McpOptions,
  type McpServer,
  mcpTools,
  type McpTools,
} from "./mcp-tools.js";
export {
  importOpenApi,
  type OpenApiSelection,
  type OpenApiServices,
  servicesFromOpenApi,
} from "./openapi/services-from-openapi.js";
export { previewTools, type ServiceOptions, serviceTools } from "./service-tools.js";
