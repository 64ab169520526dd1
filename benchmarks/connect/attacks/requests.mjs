// @ts-check
// Requests of Spark Connect, as `base.proto` has them: each for a session, and in the name of a user.
import { crc32 } from "node:zlib";
import { message, request } from "@kindling/test-kit/connect-messages";
import { USER } from "../service.mjs";

const CLIENT = "attacks";
const [INTERRUPT_ALL, EXPLAIN_EXTENDED] = [1, 2];

/** @param {string} query */
const planOf = (query) => message([1, message([10, message([1, query])])]);

/** @param {string} session @param {string} query @param {string} [user] */
export function sql(session, query, user = USER) {
  return request(session, user, [3, planOf(query)], [4, CLIENT]);
}

/** An operation that its client may attach to again. @param {string} session @param {string} query @param {string} operation */
export function operationOf(session, query, operation) {
  const reattachable = message([1, message([1, 1])]);
  return request(session, USER, [3, planOf(query)], [4, CLIENT], [5, reattachable], [6, operation]);
}

/** @param {string} session @param {string} operation */
export function reattach(session, operation) {
  return request(session, USER, [3, operation], [4, CLIENT]);
}

/** @param {string} session @param {string} operation */
export function release(session, operation) {
  return request(session, USER, [3, operation], [4, CLIENT], [5, message()]);
}

/** @param {string} session @param {string} [operation] undefined: all of them */
export function interrupt(session, operation) {
  if (operation === undefined) return request(session, USER, [3, CLIENT], [4, INTERRUPT_ALL]);
  return request(session, USER, [3, CLIENT], [4, 3], [6, operation]);
}

/** @param {string} session @param {string} query */
export function explain(session, query) {
  return request(session, USER, [3, CLIENT], [5, message([1, planOf(query)], [2, EXPLAIN_EXTENDED])]);
}

/** @param {string} session @param {string} key @param {string} value */
export function setConfig(session, key, value) {
  return request(session, USER, [3, message([1, message([1, message([1, key], [2, value])])])], [4, CLIENT]);
}

/** @param {string} session @param {string} key */
export function getConfig(session, key) {
  return request(session, USER, [3, message([2, message([1, key])])], [4, CLIENT]);
}

/** @param {string} session */
export function getAllConfig(session) {
  return request(session, USER, [3, message([5, message()])], [4, CLIENT]);
}

/** @param {string} session @param {string} key */
export function unsetConfig(session, key) {
  return request(session, USER, [3, message([6, message([1, key])])], [4, CLIENT]);
}

/** @param {string} session @param {string} name @param {string} content */
export function addArtifact(session, name, content) {
  const data = message([1, content], [2, crc32(content)]);
  return request(session, USER, [3, message([1, message([1, name], [2, data])])], [6, CLIENT]);
}

/** @param {string} session @param {string} name */
export function artifactStatus(session, name) {
  return request(session, USER, [3, CLIENT], [4, name]);
}

/** @param {string} session @param {string} errorId */
export function errorDetails(session, errorId) {
  return request(session, USER, [3, errorId], [4, CLIENT]);
}

/** @param {string} session @param {string} copy the ID of the new session */
export function clone(session, copy) {
  return request(session, USER, [3, CLIENT], [4, copy]);
}

/** A request that says no more than whose it is: the end of a session, or the state of one. @param {string} session */
export function bare(session) {
  return request(session, USER, [3, CLIENT]);
}
