export {
  azureCredentials,
  azureSecret,
  azureSources,
  type AzureAuthorization,
  type AzureSource,
} from "./azure-authorization.ts";
export { azureBucket } from "./azure-bucket.ts";
export { azureLocation, type AzureLocation } from "./azure-location.ts";
export type { AzureOptions } from "./azure-request.ts";
