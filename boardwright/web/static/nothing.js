// An address that leads nowhere: the page says so by itself, and has the bar of the others.

import { bar } from "./page.js";

bar();
