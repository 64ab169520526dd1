import type { ConfType } from "@kindling/core-spec";
import { uriPath } from "../uris.ts";

/** Where a template is: Spark reads the text as a URI and opens its path (KubernetesUtils.loadPodFromTemplate). */
export const TEMPLATE_PATH: ConfType<string> = { name: "string", parse: uriPath };
