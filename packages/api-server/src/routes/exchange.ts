import type { IncomingMessage, ServerResponse } from "node:http";
import { ANONYMOUS, type User } from "../authentication/user.ts";
import type { ApiError } from "../status/status.ts";
import { ANY_BODY, type BodyRules } from "./body-rules.ts";

/** One request with its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  user: User = ANONYMOUS;
  /** Handlers may set their own rules; they must do so before the body is read. */
  bodies: BodyRules = ANY_BODY;
  /** The error with which the request was answered. */
  fault: ApiError | undefined;
  /** The name of the object that the request makes, once it is known. */
  objectName: string | undefined;
  /** Texts of the `Warning` headers of the answer. */
  readonly warnings: string[] = [];

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? "GET";
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  }

  get accept(): string {
    return this.request.headers.accept ?? "";
  }

  /** The media type of the body, without parameters. */
  get contentType(): string {
    return (this.request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  }

  /** Whether the answer is indented, for people who read it with curl or a browser. */
  get pretty(): boolean {
    const asked = this.query.get("pretty");
    if (asked !== null) return asked === "1" || asked === "true" || asked === "";
    return /^(?:curl|Wget|Mozilla)\//.test(this.request.headers["user-agent"] ?? "");
  }

  /** The name under which the client's changes are tracked: the given one, else the program's name. */
  get fieldManager(): string {
    const asked = this.query.get("fieldManager");
    if (asked !== null && asked !== "") return asked;
    return (this.request.headers["user-agent"] ?? "").split("/")[0]?.slice(0, 128) || "unknown";
  }
}
