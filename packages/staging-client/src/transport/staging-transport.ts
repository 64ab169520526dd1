import type { CredentialsField } from "@kindling/core-spec";
import type { HttpTransport } from "@kindling/http";
import { stagingFault } from "./staging-fault.ts";

/** HTTP whose faults are `StagingError`s, with limits for the reading and quoting of answers. */
export interface StagingTransport extends HttpTransport {
  readonly documents: DocumentLimits;
  /** The field of a request for credentials. */
  readonly credentialsField: CredentialsField;
  /** Removes secrets from a server's texts before they are quoted. */
  readonly redact: (text: string) => string;
}

/** The largest JSON document of a server that is read into memory. */
export interface DocumentLimits {
  readonly mostBytes: number;
  /** The number of all objects, lists, texts, numbers and so on in it. */
  readonly mostValues: number;
}

export interface AnswerOptions {
  /** Default: 16 MiB. */
  readonly documents?: DocumentLimits | undefined;
  /** Default: `authorization`. */
  readonly credentialsField?: CredentialsField | undefined;
  /** Default: nothing is removed. */
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
