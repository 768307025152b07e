export type { CredentialRequest, CredentialSource, CredentialSources } from "./credentials.js";
export type { Service, ServiceInput } from "./definition.js";
export { loadServices, readServices } from "./load-services.js";
export { type InvalidService, InvalidServices } from "./read-service.js";
export type {
  McpHeaders,
  McpHeaderSource,
  McpHelper,
  McpServer,
  SharedMcpServer,
} from "./mcp/server.js";
export { type McpClient, type McpOptions, mcpTools, type McpTools } from "./mcp/mcp-tools.js";
export { sharedMcpServer } from "./mcp/shared-server.js";
export {
  clientCredentials,
  type OAuthOptions,
  type OAuthRefreshOptions,
  refreshedCredentials,
} from "./oauth.js";
export {
  importOpenApi,
  type OpenApiSelection,
  type OpenApiServices,
  servicesFromOpenApi,
} from "./openapi/services-from-openapi.js";
export { previewTools, type ServiceOptions, serviceTools } from "./service-tools.js";
