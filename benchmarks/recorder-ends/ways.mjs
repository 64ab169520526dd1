// @ts-check

/**
 * How an application ends, and what is expected of the recorder then.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {"alone" | "by-the-benchmark"} ends whether it ends by itself
 * @property {"succeeded" | "failed" | "any"} state the state that is kept
 * @property {RegExp} [why] what the kept reason says
 * @property {boolean} [ownNamespace] whether it runs in a namespace that is deleted with it
 */

/** @type {readonly Way[]} */
export const WAYS = [
  { name: "success", ends: "alone", state: "succeeded" },
  { name: "exception", ends: "alone", state: "failed", why: /no input for today/ },
  { name: "exit", ends: "alone", state: "failed", why: /exit(?:ed| code)|code 7/i },
  { name: "driver-oom", ends: "alone", state: "failed", why: /memory|OOM/i },
  { name: "executors-oom", ends: "alone", state: "failed", why: /memory|OOM/i },
  { name: "kill", ends: "alone", state: "failed", why: /137|kill/i },
  { name: "recorder", ends: "alone", state: "succeeded" },
  { name: "forced", ends: "by-the-benchmark", state: "any", why: /delet|lost|gone/i },
  { name: "namespace", ends: "by-the-benchmark", state: "any", why: /delet|lost|gone/i, ownNamespace: true },
  { name: "node", ends: "by-the-benchmark", state: "any", why: /delet|lost|gone|node/i },
];
