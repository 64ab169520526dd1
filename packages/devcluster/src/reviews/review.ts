import type { JsonObject } from "@kindling/kube-objects";
import {
  decode,
  type Exchange,
  respondJson,
  type Review,
  type Schema,
  type Service,
  structOf,
} from "@kindling/api-server";
import { readReview } from "./read-review.ts";

/** The answer to a review: members that are added to the sent ones or replace them. */
type Answer = (review: JsonObject, exchange: Exchange, service: Service) => JsonObject;

/** A review that the server answers at once. */
export function review(schema: Schema, group: string, kind: string, answer: Answer): Review {
  const type = structOf(schema, kind);
  return {
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
    answer: async (service, exchange) => {
      const sent = await readReview(exchange, type, `${group}/v1`);
      respondJson(exchange, 201, decode(type, { ...sent, ...answer(sent, exchange, service) }, { defaults: false }));
    },
  };
}
