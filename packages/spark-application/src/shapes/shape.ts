/**
 * What a JSON value may look like, as data: objects of users are read by it, and a test compares the custom resource
 * definitions with it.
 */
export type Form =
  /** With `values`, one of them. */
  | { readonly kind: "text"; readonly values?: readonly string[] }
  | { readonly kind: "whole"; readonly bits: 32 | 64; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "flag" }
  /** RFC 3339. */
  | { readonly kind: "time" }
  /** Of Kubernetes: a text, or a number. */
  | { readonly kind: "quantity" }
  | { readonly kind: "list"; readonly of: Form }
  | { readonly kind: "map"; readonly of: Form }
  /** An open one keeps what the table does not name: the API server judges it when it is part of a pod. */
  | { readonly kind: "fields"; readonly members: Readonly<Record<string, Member>>; readonly isOpen: boolean };

/** A form that may be left out, or one with a word about its absence. */
export type Member = Form | Presence;

export interface Presence {
  readonly kind: "presence";
  readonly form: Form;
  /** Whether it is a fault when it is not there. */
  readonly isRequired: boolean;
  /** Stands in for what is not there or not readable. Without one, the object around a required member is unreadable. */
  readonly otherwise?: unknown;
}

declare const TYPE: unique symbol;

/** A form whose values, once read, are of type `T`. */
export type Shape<T> = Form & { readonly [TYPE]?: T };

/** The same for a member that is always there once its object was read. */
export type Present<T> = Presence & { readonly [TYPE]?: T };

type MemberOf<T, K extends keyof T> =
  Pick<T, K> extends Required<Pick<T, K>> ? Present<T[K]> : Shape<NonNullable<T[K]>> | Present<NonNullable<T[K]>>;

/** Every member of `T`: one that is forgotten does not compile. */
export type MembersOf<T> = { readonly [K in keyof T]-?: MemberOf<T, K> };

export function text(): Shape<string> {
  return { kind: "text" };
}

export function oneOf<V extends string>(...values: readonly V[]): Shape<V> {
  return { kind: "text", values };
}

export function flag(): Shape<boolean> {
  return { kind: "flag" };
}

export function whole(
  bits: 32 | 64,
  bounds: { readonly minimum?: number; readonly maximum?: number } = {},
): Shape<number> {
  return { kind: "whole", bits, ...bounds };
}

/** Read as RFC 3339 in UTC with whole seconds, whatever it was written in. */
export function time(): Shape<string> {
  return { kind: "time" };
}

/** Read as text, also if it is written as a number. */
export function quantity(): Shape<string> {
  return { kind: "quantity" };
}

/** Entries that cannot be read are left out. */
export function list<T>(of: Shape<T>): Shape<T[]> {
  return { kind: "list", of };
}

/** Entries that cannot be read are left out. */
export function map<T>(of: Shape<T>): Shape<Record<string, T>> {
  return { kind: "map", of };
}

/** An object with these members only. */
export function fields<T>(members: MembersOf<T>): Shape<T> {
  return { kind: "fields", members, isOpen: false };
}

/** An object of which these members are looked at, and the rest stays as it is. */
export function open<T>(members: { readonly [K in keyof T]?: MembersOf<T>[K] }): Shape<T> {
  return { kind: "fields", members: members as Readonly<Record<string, Member>>, isOpen: true };
}

/**
 * A member that has to be there.
 *
 * @param otherwise what stands in for it; without, the object around it is as good as not there
 */
export function required<T>(form: Shape<T>, otherwise?: T): Present<T> {
  return { kind: "presence", form, isRequired: true, ...(otherwise !== undefined && { otherwise }) };
}

/** A member that may be left out and reads as something else then. */
export function orElse<T>(form: Shape<T>, otherwise: T): Present<T> {
  return { kind: "presence", form, isRequired: false, otherwise };
}
