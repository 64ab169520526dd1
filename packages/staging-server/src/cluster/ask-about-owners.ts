import { isKubeError, isObjectNotFound, type KubeClient } from "@kindling/kube";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import { isNamespaceGone } from "./ask-about-namespaces.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";
import type { Confirmations } from "./confirmations.ts";
import { LIST_LIMITS, PAGE_SIZE, QUESTION_TIMEOUT_MS, type OwnerView } from "./owner-view.ts";
import { isOwner, seenObject, type SeenObject } from "./seen-object.ts";

/** An owner that its view shows as absent or finished. */
export interface Subject extends BundleOwner {
  readonly view: OwnerView;
}

/** Questions under way at a time: reviews of tokens, which people wait for, share the client with them. */
const AT_ONCE = 16;

const UNANSWERED = { status: "rejected", reason: new Error("the question was not asked") } as const;

/**
 * Asks the API server about owners, apart from the watches, and notes what it says. An owner does not run where
 *
 * - its namespace does not exist;
 * - each object that was seen to own it does not exist, or has ended; or,
 * - where none was ever seen, a new list of the whole namespace holds none that runs.
 *
 * That an object does not exist, only a Status says that names it ({@link isObjectNotFound}). And the answers count only
 * if what answers before and after them is the API server of the cluster that this server has known from the start.
 */
export async function askAboutOwners(
  client: KubeClient,
  identity: ClusterIdentity,
  memory: Confirmations,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<OwnerAnswers> {
  // The first time also without a question: only what was known when all was well can be missed later.
  if (subjects.length === 0 && identity.isKnown) return NOTHING;
  await identity.verify(signal);
  if (subjects.length === 0) return NOTHING;
  const asking: Asking = { client, memory, subjects, lists: new Map(), signal };
  const answers: { readonly subject: Subject; readonly result: PromiseSettledResult<readonly SeenObject[]> }[] = [];
  for (let start = 0; start < subjects.length; start += AT_ONCE) {
    const some = subjects.slice(start, start + AT_ONCE);
    const results = await Promise.allSettled(some.map((subject) => runningOwners(asking, subject)));
    answers.push(...some.map((subject, index) => ({ subject, result: results[index] ?? UNANSWERED })));
    // A server that does not answer any of these would be waited for again and again.
    if (results.every(({ status }) => status === "rejected")) break;
  }
  await identity.verify(signal);
  const wrong = new Set<OwnerView>();
  const errors: unknown[] = [];
  for (const { subject, result } of answers) {
    if (result.status === "rejected") errors.push(result.reason);
    const running = result.status === "fulfilled" ? result.value : undefined;
    if (running?.length === 0) memory.add(subject);
    else memory.reset(subject);
    if (running === undefined || running.length === 0) continue;
    memory.remember(subject, running);
    // What has come about a moment ago, the watch shows by now.
    const isLacking = subject.view.state(subject) !== "present" && running.some((one) => subject.view.selects(one));
    if (isLacking) wrong.add(subject.view);
  }
  return { wrong, error: errors[0] };
}

const NOTHING: OwnerAnswers = { wrong: new Set(), error: undefined };

/** What a round of questions has shown besides. */
export interface OwnerAnswers {
  /** Views that lack an object that runs. */
  readonly wrong: ReadonlySet<OwnerView>;
  /** Why one of the questions was not answered. */
  readonly error: unknown;
}

/** One round of questions. */
interface Asking {
  readonly client: KubeClient;
  readonly memory: Confirmations;
  readonly subjects: readonly Subject[];
  /** Each namespace is listed once a round at most. */
  readonly lists: Map<OwnerView, Promise<readonly SeenObject[]>>;
  readonly signal: AbortSignal;
}

/** The owners that run, as the API server says now. */
async function runningOwners(asking: Asking, subject: Subject): Promise<readonly SeenObject[]> {
  const { namespace, isNamespaceGone: isKnownGone } = subject.view;
  if (isKnownGone) return [];
  try {
    return await askFor(asking, subject);
  } catch (error) {
    // A Role goes with its namespace, and a watch that it once allowed stays open for minutes.
    const isForbidden = isKubeError(error) && error.kind === "status" && error.status === 403;
    if (isForbidden && (await isNamespaceGone(asking.client, namespace, asking.signal))) return [];
    throw error;
  }
}

async function askFor(asking: Asking, subject: Subject): Promise<readonly SeenObject[]> {
  const { view } = subject;
  const known = asking.memory.knownOwners(subject);
  if (known.length === 0) return (await listAgain(asking, view)).filter((object) => runs(object, subject));
  const objects = await Promise.all(known.map(({ name }) => find(asking, view, name)));
  const uids = new Set(known.map((one) => one.uid));
  // One whose labels were changed meanwhile is the same object all the same.
  return objects
    .filter((object) => object !== undefined)
    .filter((object) => runs(object, subject) || (uids.has(object.metadata.uid) && !object.hasEnded));
}

function runs(object: SeenObject, subject: BundleOwner): boolean {
  return !object.hasEnded && isOwner(object, subject);
}

/** The object of a name, whichever it is by now; undefined where there is none. */
async function find({ client, signal }: Asking, view: OwnerView, name: string): Promise<SeenObject | undefined> {
  const { type, namespace } = view;
  try {
    const options = { namespace, signal, timeoutMs: QUESTION_TIMEOUT_MS };
    const object = seenObject(type, await client.get(type.resource, name, options));
    if (object.metadata.uid === "") throw new Error(`${type.name} ${name} of namespace ${namespace} has no uid`);
    return object;
  } catch (error) {
    if (isObjectNotFound(error, type.resource, name)) return undefined;
    throw error;
  }
}

function listAgain(asking: Asking, view: OwnerView): Promise<readonly SeenObject[]> {
  const list = asking.lists.get(view) ?? readAgain(asking, view);
  asking.lists.set(view, list);
  return list;
}

async function readAgain({ client, subjects, signal }: Asking, view: OwnerView): Promise<readonly SeenObject[]> {
  const { type, namespace } = view;
  // An object that a bundle is bound to owns it whatever its labels are by now.
  const hasBound = subjects.some((subject) => subject.view === view && subject.uid !== undefined);
  const labelSelector = hasBound ? undefined : view.labelSelector;
  const options = { namespace, labelSelector, pageSize: PAGE_SIZE, limits: LIST_LIMITS, signal };
  let objects: SeenObject[] = [];
  for await (const page of client.list(type.resource, options)) {
    if (page.restarted) objects = [];
    for (const item of page.items) objects.push(seenObject(type, item));
  }
  if (objects.some(({ metadata }) => metadata.uid === "")) throw new Error(`a list of ${type.name} lacks uids`);
  return objects;
}
