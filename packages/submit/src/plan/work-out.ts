import {
  KindlingError,
  type LocalFiles,
  orderSteps,
  runDriverSteps,
  type Provenance,
  type SparkConf,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import {
  broughtSteps,
  DRIVER_POD_TEMPLATE_CONTAINER,
  DRIVER_POD_TEMPLATE_FILE,
  driverObjects,
  earlyExecutors,
  ephemeralStorage,
  recordedEventLog,
  recordsEventLog,
  executorAllowance,
  executorHandover,
  handsStepsOver,
  initialDriverSpec,
  kerberosExecutors,
  KRB5_CONF,
  podSecurity,
  restrictsPods,
  sampleExecutorPod,
  SCHEDULER,
  selectSteps,
  validateExecutorVolumes,
  type DriverObjects,
  type PodTemplate,
} from "@kindling/steps";
import { KERBEROS_EXECUTORS } from "../keys/kerberos-keys.ts";
import { PROXY_USER_CLASSPATH } from "../keys/proxy-user-key.ts";
import type { Notices } from "../notices.ts";
import { checkNames } from "./check-names.ts";
import { checkPodSecurity } from "./check-pod-security.ts";
import { checkSizes } from "./check-sizes.ts";
import { travellingDependencies, type BundleValues } from "./dependency-step.ts";
import { executorSteps, userExecutorTemplate, withExecutorTemplate } from "./executor-template.ts";
import { localFiles } from "./files/gathered-files.ts";
import { keptShuffleInput } from "./kept-shuffle.ts";
import { makeSubmission, objectNamePrefix } from "./make-submission.ts";
import { confOf, type PlanInput } from "./plan-input.ts";
import { sealedInput } from "./sealed.ts";
import type { StagingPlan } from "./submission-plan.ts";
import { seededIdentifiers } from "./identifiers.ts";
import { planUploads, type Upload } from "./uploads.ts";

/** A submission with its objects. */
export interface WorkedOut {
  /** The input without the dependencies that travel through the localizer or a Secret. */
  readonly input: PlanInput;
  readonly submission: Submission;
  /** Steps that run after the built-in ones: those from outside, then those for a seal, dependencies and pod security. */
  readonly contributed: readonly Step[];
  readonly staging: StagingPlan | undefined;
  readonly uploads: readonly Upload[];
  readonly objects: DriverObjects;
  readonly provenance: Provenance;
}

/**
 * Works out what a submission will create. The dependencies come first, because the steps see what is left of them.
 *
 * @param bundle the values of the staged bundle, if they are known already
 */
export function workOut(given: PlanInput, steps: readonly Step[], notices: Notices, bundle?: BundleValues): WorkedOut {
  const files = localFiles(given.files, given.access, given.sparkVersion);
  const prefix = objectNamePrefix(given);
  const sealed = sealedInput(given, prefix);
  const kept = keptShuffleInput(sealed.input);
  const { input, step, handed, staging } = travellingDependencies(kept.input, files, prefix, bundle);
  const conf = confOf(input);
  // Pod security is the last step: the others may add containers.
  const own = [
    ...ofExecutors(conf, given, files, prefix),
    sealed.step,
    step,
    kept.step,
    ephemeralStorage(conf),
    recordsEventLog(conf) ? recordedEventLog : undefined,
    restrictsPods(conf) ? podSecurity : undefined,
  ];
  const contributed = [...steps, ...own.filter((one) => one !== undefined)];
  const forGateway = handsStepsOver(conf) ? executorSteps(contributed) : [];
  const isHanded = forGateway.length > 0 || earlyExecutors(conf) > 0;
  const handover = isHanded ? [executorHandover(forGateway, handed)] : [];
  const others = [...contributed, ...handover];
  const names = others.map(({ name }) => name);
  const isGateways = conf.get(SCHEDULER) === "gateway";
  const allowance = isGateways ? [executorAllowance(broughtSteps(forGateway, handed), names)] : [];
  const chain = orderSteps(selectSteps(conf, "driver"), [...others, ...allowance]);
  const { uploads, uris } = planUploads(conf, input.mainApplication, chain, seededIdentifiers(input.seed), input.files);
  if (input.access === "nothing") uploads.forEach(refuseUpload);
  const submission = makeSubmission(input, { files, uploads: uris, notice: notices.add });
  const complete = withExecutorTemplate(submission, input, handsStepsOver(conf) ? [] : contributed);
  // As Spark does, so that a fault shows here, and not later when the running driver asks for its first executor.
  validateExecutorVolumes(conf);
  conf.get(PROXY_USER_CLASSPATH);
  const initial = initialDriverSpec(withoutOwnKeys(complete.conf), driverTemplate(submission, input), notices.add);
  const { spec, provenance } = runDriverSteps(initial, complete, chain);
  const objects = driverObjects(spec, complete, input.sparkContainer);
  checkNames(submission, objects);
  checkSizes(objects);
  checkPodSecurity(conf, {
    driver: objects.pod,
    executor: () => sampleExecutorPod(spec, complete, forGateway),
  });
  return { input, submission, contributed, staging, uploads, objects, provenance };
}

/** What Kindling itself adds to executors: krb5.conf, unless they have one already. */
function ofExecutors(conf: SparkConf, given: PlanInput, files: LocalFiles, prefix: string): readonly Step[] {
  const isWanted = conf.get(KERBEROS_EXECUTORS) ?? given.delegationTokens !== undefined;
  if (!isWanted) return [];
  const isMounted = Object.entries(conf.entries).some(
    ([key, value]) => key.startsWith("spark.kubernetes.executor.") && value === KRB5_CONF,
  );
  const template = JSON.stringify(userExecutorTemplate({ conf, files }, given)?.content ?? null);
  if (isMounted || template.includes(JSON.stringify(KRB5_CONF))) return [];
  const step = kerberosExecutors(conf, prefix);
  return step === undefined ? [] : [step];
}

function refuseUpload({ source, purpose }: Upload): never {
  throw new KindlingError("ACCESS_DENIED", `${purpose}: ${source} is a file of this machine, which may not be read`);
}

/** The driver's pod template as the user gave it. */
function driverTemplate({ conf, files }: Submission, { templates }: PlanInput): PodTemplate | undefined {
  const containerName = conf.get(DRIVER_POD_TEMPLATE_CONTAINER);
  if (templates.driver !== undefined) return { content: templates.driver, origin: "driverTemplate", containerName };
  const path = conf.get(DRIVER_POD_TEMPLATE_FILE);
  if (path === undefined) return undefined;
  const origin = `${DRIVER_POD_TEMPLATE_FILE.key}: ${path}`;
  return { content: files.readYaml(path, origin, "Pod"), origin, containerName };
}

/** Kindling's own keys are for the submission; the driver would only warn about them. */
function withoutOwnKeys(conf: SparkConf): Record<string, string> {
  return Object.fromEntries(Object.entries(conf.entries).filter(([key]) => !key.startsWith("spark.kindling.")));
}
