/** Waits until a service is told to stop. If it was told so while it was starting, it stops when it has started. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
