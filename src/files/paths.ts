// Paths by the rules of this system, for use cases: they join what others read and write.
export { basename, dirname, join, relative, resolve, sep } from 'node:path';
