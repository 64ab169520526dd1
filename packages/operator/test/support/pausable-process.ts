import type { KubeClient, ResourceType } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

/** A process that may be paused for a while without noticing it, as when a virtual machine migrates. */
export interface PausableProcess {
  readonly clock: Clock;
  /**
   * A client of this process.
   *
   * @param pausesAt the call before which the process is paused, once: `create pods`, `replace sparkapplications status`;
   *   dry runs do not count
   */
  client(inner: KubeClient, pausesAt?: string): KubeClient;
  /** Resolves when it has been paused. */
  readonly paused: Promise<void>;
  /** Lets it go on, with everything that has arrived for it in the meantime. */
  resume(): void;
}

export function pausableProcess(clock: Clock): PausableProcess {
  let isPaused = false;
  let tellPaused: () => void = () => undefined;
  let tellResumed: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => (tellPaused = resolve));
  const resumed = new Promise<void>((resolve) => (tellResumed = resolve));
  const goesOn = async (): Promise<void> => {
    if (isPaused) await resumed;
  };

  function pauseAt(wanted: string | undefined) {
    let isOver = false;
    return (call: string): void => {
      if (isOver || call !== wanted) return;
      isOver = true;
      isPaused = true;
      tellPaused();
    };
  }

  async function* follow<T>(stream: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const one of stream) {
      await goesOn();
      yield one;
    }
  }

  return {
    paused,
    resume() {
      isPaused = false;
      tellResumed();
    },
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after(milliseconds, callback) {
        let isCancelled = false;
        const ring = async (): Promise<void> => {
          await goesOn();
          if (!isCancelled) callback();
        };
        const cancel = clock.after(milliseconds, () => void ring());
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    },
    client(inner, pausesAt) {
      const meets = pauseAt(pausesAt);
      const ask = async <T>(call: string | undefined, request: () => Promise<T>): Promise<T> => {
        if (call !== undefined) meets(call);
        await goesOn();
        try {
          return await request();
        } finally {
          await goesOn();
        }
      };
      const named = (verb: string, { plural }: ResourceType, options?: { readonly subresource?: string | undefined }) =>
        [verb, plural, ...(options?.subresource === undefined ? [] : [options.subresource])].join(" ");
      return {
        ...inner,
        get: (type, name, options) => ask(named("get", type, options), () => inner.get(type, name, options)),
        create: (type, object, options) =>
          ask(options?.dryRun === true ? undefined : named("create", type, options), () =>
            inner.create(type, object, options),
          ),
        apply: (type, object, options) => ask(named("apply", type, options), () => inner.apply(type, object, options)),
        replace: (type, object, options) =>
          ask(named("replace", type, options), () => inner.replace(type, object, options)),
        patch: (type, name, kind, patch, options) =>
          ask(named("patch", type, options), () => inner.patch(type, name, kind, patch, options)),
        delete: (type, name, options) => ask(named("delete", type), () => inner.delete(type, name, options)),
        list: (type, options) => follow(inner.list(type, options)),
        watch: (type, options) => follow(inner.watch(type, options)),
      };
    },
  };
}
