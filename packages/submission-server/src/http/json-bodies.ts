import { messageOf } from "@kindling/core-spec";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";

/** Reads bodies only as JSON. A client may send a content type without a body, as many do with each request. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(["text/plain", "application/json"]);
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (text === "" && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    if (text === "") return done(new ProblemError("invalid-request", "the body is empty"));
    return parse(request, text, (error, value) => (error === null ? done(null, value) : done(faultOf(text))));
  });
}

/** What is wrong with a text that is no JSON, without quoting it: there may be a secret in it. */
function faultOf(text: string): ProblemError {
  try {
    JSON.parse(text);
  } catch (error) {
    const [what = ""] = messageOf(error).split(/, (?=["'.])/);
    return new ProblemError("invalid-request", `the body is not JSON: ${what}`);
  }
  return new ProblemError("invalid-request", "the body has a member __proto__ or constructor.prototype");
}
