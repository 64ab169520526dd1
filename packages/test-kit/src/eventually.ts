import { vi } from "vitest";

/** Waits until a check no longer fails; longer than {@link vi.waitFor} does by default, for busy machines. */
export function eventually<T>(
  check: () => T | Promise<T>,
  options: { interval?: number; timeout?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { timeout: 50_000, ...options });
}
