// What only tests of terminals and pages need; what could not be had is noticed by who looks for it.
import { bringChromium, bringTmux } from './tools.mjs';

bringTmux();
await bringChromium();
