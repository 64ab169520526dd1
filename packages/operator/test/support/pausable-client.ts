import type { KubeClient, ResourceType } from "@kindling/kube";
import type { Pause } from "./pause.ts";

/**
 * A client whose requests and answers wait while there is a pause.
 *
 * @param pausesAt the call before which the pause begins, once; see `PausableProcess`
 */
export function pausableClient(inner: KubeClient, pause: Pause, pausesAt: string | undefined): KubeClient {
  let isMet = false;

  async function ask<T>(call: string | undefined, request: () => Promise<T>): Promise<T> {
    if (!isMet && call !== undefined && call === pausesAt) {
      isMet = true;
      pause.begin();
    }
    await pause.isOver();
    try {
      return await request();
    } finally {
      await pause.isOver();
    }
  }

  async function* follow<T>(stream: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const one of stream) {
      await pause.isOver();
      yield one;
    }
  }

  return {
    ...inner,
    get: (type, name, options) => ask(callOf("get", type, options), () => inner.get(type, name, options)),
    create: (type, object, options) =>
      ask(options?.dryRun === true ? undefined : callOf("create", type, options), () =>
        inner.create(type, object, options),
      ),
    apply: (type, object, options) => ask(callOf("apply", type, options), () => inner.apply(type, object, options)),
    replace: (type, object, options) =>
      ask(callOf("replace", type, options), () => inner.replace(type, object, options)),
    patch: (type, name, kind, patch, options) =>
      ask(callOf("patch", type, options), () => inner.patch(type, name, kind, patch, options)),
    delete: (type, name, options) => ask(callOf("delete", type), () => inner.delete(type, name, options)),
    list: (type, options) => follow(inner.list(type, options)),
    watch: (type, options) => follow(inner.watch(type, options)),
  };
}

function callOf(
  verb: string,
  { plural }: ResourceType,
  options?: { readonly subresource?: string | undefined },
): string {
  return [verb, plural, ...(options?.subresource === undefined ? [] : [options.subresource])].join(" ");
}
