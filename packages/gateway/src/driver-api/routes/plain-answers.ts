import type { Exchange } from "@kindling/api-server";

/** What people have lists shown as. Such an answer is made whole before any of it is sent, and is larger than the objects. */
const FOR_PEOPLE = /as=Table/;

/** Sends a driver its objects as they are kept, whatever it asks for: no other form of them is made. */
export function answerPlainly({ query, request }: Exchange): void {
  query.set("pretty", "false");
  if (FOR_PEOPLE.test(request.headers.accept ?? "")) request.headers.accept = "application/json";
}
