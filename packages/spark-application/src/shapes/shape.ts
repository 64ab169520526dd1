/**
 * The allowed form of a JSON value, as data. The readers of users' objects use it, and a test compares the custom
 * resource definitions with it.
 */
export type Form =
  /** With `values`, it must be one of them. */
  | { readonly kind: "text"; readonly values?: readonly string[] }
  | { readonly kind: "whole"; readonly bits: 32 | 64; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "flag" }
  /** RFC 3339. */
  | { readonly kind: "time" }
  /** A Kubernetes quantity: a text, or a number. */
  | { readonly kind: "quantity" }
  | { readonly kind: "list"; readonly of: Form }
  | { readonly kind: "map"; readonly of: Form }
  /** An open form keeps members that are not named: the API server checks them when they are part of a pod. */
  | { readonly kind: "fields"; readonly members: Readonly<Record<string, Member>>; readonly isOpen: boolean };

/** A form that may be left out, or a form with a rule about its absence. */
export type Member = Form | Presence;

export interface Presence {
  readonly kind: "presence";
  readonly form: Form;
  /** Whether it is a fault if it is absent. */
  readonly isRequired: boolean;
  /** The value for an absent or unreadable member. Without it, the object around a required member is unreadable. */
  readonly otherwise?: unknown;
}

declare const TYPE: unique symbol;

/** A form whose values, once read, are of type `T`. */
export type Shape<T> = Form & { readonly [TYPE]?: T };

/** The same for a member that is always there once its object was read. */
export type Present<T> = Presence & { readonly [TYPE]?: T };

type MemberOf<T, K extends keyof T> =
  Pick<T, K> extends Required<Pick<T, K>> ? Present<T[K]> : Shape<NonNullable<T[K]>> | Present<NonNullable<T[K]>>;

/** Every member of `T`: a missing one is a compile error. */
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

/** Read as RFC 3339 in UTC with whole seconds, in whichever form it was written. */
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

/** An object in which only these members are checked; the rest stays unchanged. */
export function open<T>(members: { readonly [K in keyof T]?: MembersOf<T>[K] }): Shape<T> {
  return { kind: "fields", members: members as Readonly<Record<string, Member>>, isOpen: true };
}

/**
 * A required member.
 *
 * @param otherwise the value if it is absent or unreadable; without it, the object around it counts as absent
 */
export function required<T>(form: Shape<T>, otherwise?: T): Present<T> {
  return { kind: "presence", form, isRequired: true, ...(otherwise !== undefined && { otherwise }) };
}

/** An optional member with a default. */
export function orElse<T>(form: Shape<T>, otherwise: T): Present<T> {
  return { kind: "presence", form, isRequired: false, otherwise };
}
