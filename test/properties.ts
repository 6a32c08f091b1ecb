// How the property tests draw their cases: from one seed, so that a run is the same everywhere and every time. New cases are for
// `npm run explore`, which runs the same tests under seeds of its own and prints the ones that found something.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_130) })
