import type { HttpTransport } from "@kindling/http";
import type { CredentialsField } from "../protocol/credentials-field.ts";
import { stagingFault } from "./staging-fault.ts";

/** HTTP whose faults are `StagingError`s, and what of its answers is read and quoted. */
export interface StagingTransport extends HttpTransport {
  readonly documents: DocumentLimits;
  /** The field of a request that credentials go in. */
  readonly credentialsField: CredentialsField;
  /** Takes secrets out of a server's words, before anything of them is quoted. */
  readonly redact: (text: string) => string;
}

/** How large a JSON document of a server may be that is read into memory. */
export interface DocumentLimits {
  readonly mostBytes: number;
  /** Objects, lists, texts, numbers and so on, one within the other. */
  readonly mostValues: number;
}

export interface AnswerOptions {
  /** Default: 16 MiB. */
  readonly documents?: DocumentLimits | undefined;
  /** Default: `authorization`. */
  readonly credentialsField?: CredentialsField | undefined;
  /** Default: nothing is taken out. */
  readonly redact?: ((text: string) => string) | undefined;
}

const DEFAULT_DOCUMENTS: DocumentLimits = { mostBytes: 16 * 1024 * 1024, mostValues: 4_000_000 };

export function stagingTransport(http: HttpTransport, options: AnswerOptions = {}): StagingTransport {
  return {
    ...http,
    credentialsField: options.credentialsField ?? "authorization",
    documents: options.documents ?? DEFAULT_DOCUMENTS,
    redact: options.redact ?? ((text) => text),
    async send(request) {
      try {
        return await http.send(request);
      } catch (error) {
        throw stagingFault(error, request);
      }
    },
  };
}
