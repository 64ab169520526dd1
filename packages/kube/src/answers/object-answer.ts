import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import { isFields, type Fields } from "../fields.ts";
import type { ResourceType } from "../resource-type.ts";
import { isBuiltIn } from "../resources.ts";
import { Malformed, parseJson, protocolError, shownText, type Asked } from "./malformed.ts";
import { parseMetadata } from "./metadata.ts";

/** The object that an answer must contain. */
export interface ExpectedObject {
  readonly type: ResourceType;
  /** Undefined if the server generates the name. */
  readonly name?: string | undefined;
  /** Undefined for cluster-scoped types. */
  readonly namespace?: string | undefined;
}

/** The object that was asked for; throws a protocol error for anything else. */
export function parseObjectAnswer(asked: Asked, text: string, expected: ExpectedObject): KubeObjectLike {
  return parsed(asked, text, (answer) => {
    const object = checkedObject(answer, expected);
    // Objects of other groups may be computed, such as metrics, and have no uid.
    if (isBuiltIn(expected.type)) checkUid(object);
    return object;
  });
}

/** The object after a write; the server has given it a uid. */
export function parseWrittenObject(asked: Asked, text: string, expected: ExpectedObject): KubeObjectLike {
  return parsed(asked, text, (answer) => {
    const object = checkedObject(answer, expected);
    if (!isText(object.metadata?.name)) throw new Malformed("the object in the answer has no name");
    checkUid(object);
    return object;
  });
}

/**
 * The answer to a write of something that is not stored under its own name: a review, or a part of an object such as a
 * pod's eviction, whose answer may be of another kind and is often a Status.
 */
export function parseUnstoredAnswer(
  asked: Asked,
  text: string,
  { type, name }: { readonly type: ResourceType | undefined; readonly name?: string | undefined },
): KubeObjectLike {
  return parsed(asked, text, (answer) => {
    const object = kindOf(answer);
    if (type !== undefined) checkKind(object, type);
    if (object["kind"] === "Status") checkSuccess(object);
    const { name: answered } = parseMetadata({ ...object, metadata: object["metadata"] ?? {} });
    if (name !== undefined && (answered ?? name) !== name) throw new Malformed("the answer is about another object");
    return object;
  });
}

/** Checks the answer to a delete: a Status of success, or the object that was or will be deleted. */
export function checkDeleted(asked: Asked, text: string, type: ResourceType, name?: string): void {
  parsed(asked, text, (answer) => {
    const object = kindOf(answer);
    if (object["kind"] === "Status") checkSuccess(object);
    else if (name === undefined) checkListKind(object, type);
    else checkedObject(object, { type, name });
  });
}

/** `kind` and `apiVersion` of a list; a `List` is one of anything. Throws {@link Malformed}. */
export function checkListKind(list: Fields, type: ResourceType): void {
  const { kind, apiVersion } = list;
  const isGeneric = kind === "List" && apiVersion === "v1";
  if (!isGeneric && apiVersion !== apiVersionOf(type)) {
    throw new Malformed(`a list of ${apiVersionOf(type)} was asked for, and the answer is of ${shownText(apiVersion)}`);
  }
  if (!isGeneric && !isListKind(kind, type)) {
    throw new Malformed(`a ${type.kind}List was asked for, and the answer is a ${shownText(kind)}`);
  }
}

/** A CustomResourceDefinition may choose another name for its list, but it also ends in `List`. */
function isListKind(kind: unknown, type: ResourceType): boolean {
  if (kind === `${type.kind}List`) return true;
  return !isBuiltIn(type) && typeof kind === "string" && kind.endsWith("List");
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function parsed<R>(asked: Asked, text: string, read: (answer: unknown) => R): R {
  try {
    return read(parseJson(text, "the answer"));
  } catch (error) {
    throw protocolError(asked, error);
  }
}

function kindOf(answer: unknown): Fields {
  if (!isFields(answer)) throw new Malformed("the answer is no object");
  if (!isText(answer["kind"])) throw new Malformed("the answer does not say of what kind it is");
  return answer;
}

function checkKind(object: Fields, type: ResourceType): void {
  if (object["kind"] === type.kind && object["apiVersion"] === apiVersionOf(type)) return;
  const answered = `${shownText(object["kind"])} of ${shownText(object["apiVersion"])}`;
  throw new Malformed(`a ${type.kind} of ${apiVersionOf(type)} was asked for, and the answer is a ${answered}`);
}

function checkUid({ metadata }: KubeObjectLike): void {
  if (!isText(metadata?.uid)) throw new Malformed("the object in the answer has no uid");
}

function checkSuccess(status: Fields): void {
  if (status["status"] !== "Success") throw new Malformed("the answer says success, but its Status does not");
}

function checkedObject(answer: unknown, { type, name, namespace }: ExpectedObject): KubeObjectLike {
  const object = kindOf(answer);
  checkKind(object, type);
  const metadata = parseMetadata(object);
  if (name !== undefined && metadata.name !== name) {
    throw new Malformed(`${type.kind} ${name} was asked for, and the answer is about another object`);
  }
  if (type.namespaced && namespace !== undefined && (metadata.namespace ?? namespace) !== namespace) {
    throw new Malformed(`namespace ${namespace} was asked for, and the answer is of another`);
  }
  return object;
}
