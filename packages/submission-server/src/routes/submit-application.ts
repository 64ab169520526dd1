import type { SubmitRequest } from "@kindling/submit";
import type { FastifyRequest } from "fastify";
import { toProblem } from "../errors/problem-error.ts";
import { SUBMISSION_PROBLEMS } from "../errors/problem.ts";
import { callerOf, demand } from "../http/caller.ts";
import { inTurn } from "../http/turns.ts";
import type { Submitted } from "../submissions/submissions.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Carries out a submission for the sender of a request. Logs who submitted, where, and how it ended, but nothing about the
 * content.
 *
 * @param read reads the request
 */
export async function submitApplication(
  context: ServiceContext,
  request: FastifyRequest,
  read: () => SubmitRequest,
): Promise<Submitted> {
  const { submissions, metrics, log, audit, outside } = context;
  const { clock } = outside;
  const begin = clock.monotonic();
  const caller = callerOf(request);
  const about: { namespace?: string } = {};
  const tell = (outcome: string, more: Readonly<Record<string, string | undefined>> = {}): void => {
    const milliseconds = Math.round(clock.monotonic() - begin);
    metrics.submissions.inc({ outcome });
    log.info("submission", { request: request.id, subject: caller.subject, ...about, outcome, milliseconds, ...more });
  };
  try {
    const submitted = await inTurn(request, async () => {
      const wanted = read();
      const namespace = submissions.namespaceOf(wanted);
      about.namespace = namespace;
      audit.about(request, { namespace, resource: "pods" });
      await demand(caller, "submit", namespace);
      return await submissions.submit(wanted, namespace);
    });
    metrics.submissionSeconds.observe((clock.monotonic() - begin) / 1000);
    const { driverPod, driverPodUid, id } = submitted.application;
    audit.about(request, { application: id, name: driverPod, uid: driverPodUid });
    audit.done(request, submitted.existed ? "an earlier submission with the same id had made it" : "created");
    tell(submitted.existed ? "existed" : "created", { driverPod, applicationId: id });
    return submitted;
  } catch (error) {
    const problem = toProblem(error);
    const isRefused = SUBMISSION_PROBLEMS[problem.problem].status < 500;
    tell(isRefused ? "refused" : "failed", { problem: problem.problem, code: problem.code });
    // A client that has left gets no answer, and its submission went on all the same.
    audit.refused(request, problem);
    throw problem;
  }
}
