export type {
  BundleConfig,
  FileConfig,
  FileOrigin,
  LimitsConfig,
  LocalizerConfig,
  ResolvedConfig,
  S3Config,
} from "./localizer-config.ts";
export { parseLocalizerConfig, resolveLocalizerConfig } from "./parse-localizer-config.ts";
