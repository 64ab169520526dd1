import type { Refusal } from "../../cluster/refusal.ts";

/** How far an executor has come: everything is created, or why not. */
export type Progress = { readonly kind: "done" } | Exclude<Refusal, { readonly kind: "taken" }>;

export const DONE: Progress = { kind: "done" };
