import type { Identity } from "./authenticator.ts";
import { ProblemError } from "../errors/problem-error.ts";

/** @throws ProblemError `forbidden` */
export async function requireUploadBy(identity: Identity, namespace: string): Promise<void> {
  const decision = await identity.mayUpload(namespace);
  if (!decision.allowed) throw new ProblemError("forbidden", decision.reason);
}

/** @throws ProblemError `forbidden` */
export async function requireAdministrator(identity: Identity): Promise<void> {
  if (await identity.mayAdminister()) return;
  throw new ProblemError("forbidden", `${identity.subject} may not administer this server`);
}
