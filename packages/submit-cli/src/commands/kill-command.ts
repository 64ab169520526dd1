export const killCommand = { submitted: (..._args: unknown[]): Promise<number> => Promise.resolve(1) };
