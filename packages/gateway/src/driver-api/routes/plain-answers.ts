import type { Exchange } from "@kindling/api-server";

/** The form of lists for kubectl. Such an answer is built completely before it is sent, and is larger than the objects. */
const FOR_PEOPLE = /as=Table/;

/** Sends a driver its objects as they are stored, even if it asks for another form. */
export function answerPlainly({ query, request }: Exchange): void {
  query.set("pretty", "false");
  if (FOR_PEOPLE.test(request.headers.accept ?? "")) request.headers.accept = "application/json";
}
