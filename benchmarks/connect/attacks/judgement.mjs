// @ts-check
// What became of an attack.

/**
 * `refused`: it got a status, or lost its connection. `harmless`: it was carried out as its own user's. `through`: neither.
 *
 * @typedef {{ how: "refused" | "harmless" | "through", why: string }} Judgement
 */
/** @typedef {import("@kindling/test-kit/connect-client").Ended} Ended */

/** @param {string} why @returns {Judgement} */
export const refused = (why) => ({ how: "refused", why });
/** @param {string} why @returns {Judgement} */
export const harmless = (why) => ({ how: "harmless", why });
/** @param {string} why @returns {Judgement} */
export const through = (why) => ({ how: "through", why });

/** A call has no status if its connection or its stream was cut. */
const CUT = "";

/**
 * Demands one of these statuses of gRPC; a call that was cut is refused as well.
 *
 * @param {Ended} ended
 * @param {readonly string[]} statuses
 */
export function refusedWith({ status, message }, ...statuses) {
  const how = `status ${status}: ${message}`;
  return status === CUT || statuses.some((one) => one === status) ? refused(how) : through(how);
}

/** Demands any status but success. @param {Ended} ended */
export function refusedAnyhow({ status, message }) {
  return status === "0" ? through("it was answered") : refused(`status ${status}: ${message}`);
}

/** For a call that may be carried out, as long as nothing of the victim's is in its answer or changed. @param {Ended} ended */
export function ownOrRefused({ status, message }) {
  return status === "0" ? harmless("carried out for its own user") : refused(`status ${status}: ${message}`);
}

/**
 * The worst of several judgements.
 *
 * @param {readonly Judgement[]} judgements
 * @returns {Judgement}
 */
export function worst(judgements) {
  const found = ["through", "harmless"].map((how) => judgements.find((one) => one.how === how));
  return found.find((one) => one !== undefined) ?? judgements[0] ?? through("nothing was done");
}
