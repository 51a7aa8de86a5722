import fc from "fast-check"

/**
 * Properties try the same values in every run, so that only a change can make one fail. `PROPERTY_SEED=2 npm test` tries others:
 * what fails then becomes a row of its own.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
