import { within } from "@kindling/outside";
import type { DamageAnswer, DamageReport } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { bundleOf } from "../../http/caller.ts";
import { damageReportSchema } from "../schemas.ts";
import type { ServerContext } from "../server-context.ts";

interface DamageRequest {
  Params: { id: string };
  Body: DamageReport;
}

// A pod waits for the answer. If the file takes longer to read, it is still checked completely.
const ANSWER_WITHIN_MS = 20_000;

/** Reports of clients that received bytes with another digest: the cause may be the network, or the disk here. */
export function damageRoutes(app: FastifyInstance, context: ServerContext): void {
  const { bundles, inspections, clock } = context;

  const report = { schema: { body: damageReportSchema }, config: { access: "secret", body: "settings" } } as const;
  app.post<DamageRequest>("/bundles/:id/damaged", report, async (request) => {
    const record = bundleOf(request);
    const files = (await bundles.manifest(record.id))?.files ?? [];
    const file = files.find(({ name }) => name === request.body.name);
    if (file === undefined) throw new ProblemError("not-found", "the bundle has no file of that name");
    const inspecting = inspections.inspect(file.digest, `namespace ${record.owner.ownerNamespace}`);
    const state = await within(clock, ANSWER_WITHIN_MS, inspecting, () => "unknown" as const);
    request.log.warn({ bundle: record.id, digest: file.digest, state }, "a client received wrong bytes");
    const answer: DamageAnswer = { state: state === "absent" ? "damaged" : state };
    return answer;
  });
}
