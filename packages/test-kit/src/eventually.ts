import { vi } from "vitest";

/** Waits until a check no longer fails; for longer than {@link vi.waitFor} does by itself, as on a busy machine. */
export function eventually<T>(
  check: () => T | Promise<T>,
  options: { interval?: number; timeout?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, ...options });
}
