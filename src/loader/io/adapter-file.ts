import type { Project } from '../../project/io/open-project.ts';
import type { FileAdapter } from '../policy/adapter-definitions.ts';
import type { AdapterReading } from '../slices/adapter-slice.ts';
import { parsePayloadBytes } from './adapter-payload.ts';

// A JSON file of the project. What is wrong with it is said in the bundle; it never stops one.
export function readFileAdapter(config: FileAdapter, project: Project): AdapterReading {
  const degraded = (reason: string): AdapterReading => ({ config, status: 'degraded', reason });
  const file = project.readBytes(config.path);
  if (file.status === 'missing') return degraded(`${config.path} is not there`);
  if (file.status === 'unreadable') return degraded(`${config.path} can't be read: ${file.reason}`);
  const payload = parsePayloadBytes(file.value);
  return payload.status === 'ok'
    ? { config, status: 'loaded', payload: payload.value }
    : degraded(`${config.path} can't be used: ${payload.reason}`);
}
