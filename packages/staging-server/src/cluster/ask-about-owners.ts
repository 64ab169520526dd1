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

/** How many questions are under way at a time. Reviews of tokens, which users wait for, share the client with them. */
const AT_ONCE = 16;

const UNANSWERED = { status: "rejected", reason: new Error("the question was not asked") } as const;

/**
 * Asks the API server about owners, besides the watches, and notes its answers. An owner does not run if
 *
 * - its namespace does not exist;
 * - each object that was seen to own it does not exist, or has ended; or,
 * - if none was ever seen, a new list of the whole namespace has none that runs.
 *
 * An object does not exist only if a Status that names it says so ({@link isObjectNotFound}). And the answers count only
 * if the API server of the cluster that this server has known from the start answers before and after them.
 */
export async function askAboutOwners(
  client: KubeClient,
  identity: ClusterIdentity,
  memory: Confirmations,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<OwnerAnswers> {
  // The first time also without a question: the cluster's identity has to be known before it can be compared later.
  if (subjects.length === 0 && identity.isKnown) return NOTHING;
  await identity.verify(signal);
  if (subjects.length === 0) return NOTHING;
  const asking: Asking = { client, memory, subjects, lists: new Map(), signal };
  const answers: { readonly subject: Subject; readonly result: PromiseSettledResult<readonly SeenObject[]> }[] = [];
  for (let start = 0; start < subjects.length; start += AT_ONCE) {
    const some = subjects.slice(start, start + AT_ONCE);
    const results = await Promise.allSettled(some.map((subject) => runningOwners(asking, subject)));
    answers.push(...some.map((subject, index) => ({ subject, result: results[index] ?? UNANSWERED })));
    // If the server answers none of these, every further question would only wait again.
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
    // By now, the watch shows objects that were made a moment ago.
    const isLacking = subject.view.state(subject) !== "present" && running.some((one) => subject.view.selects(one));
    if (isLacking) wrong.add(subject.view);
  }
  return { wrong, error: errors[0] };
}

const NOTHING: OwnerAnswers = { wrong: new Set(), error: undefined };

/** Further results of a round of questions. */
export interface OwnerAnswers {
  /** Views that do not show an object that runs. */
  readonly wrong: ReadonlySet<OwnerView>;
  /** Why one of the questions was not answered. */
  readonly error: unknown;
}

/** One round of questions. */
interface Asking {
  readonly client: KubeClient;
  readonly memory: Confirmations;
  readonly subjects: readonly Subject[];
  /** Each namespace is listed at most once in a round. */
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
    // A Role is deleted with its namespace, but a watch that it allowed stays open for minutes.
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
  // An object whose labels were changed meanwhile is still the same object.
  return objects
    .filter((object) => object !== undefined)
    .filter((object) => runs(object, subject) || (uids.has(object.metadata.uid) && !object.hasEnded));
}

function runs(object: SeenObject, subject: BundleOwner): boolean {
  return !object.hasEnded && isOwner(object, subject);
}

/** The object that has this name now; undefined if there is none. */
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
  // An object that a bundle is bound to owns the bundle, whatever labels it has now.
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
