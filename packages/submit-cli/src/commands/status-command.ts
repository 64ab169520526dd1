export const statusCommand = { submitted: (..._args: unknown[]): Promise<number> => Promise.resolve(1) };
