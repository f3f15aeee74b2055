import type { AdapterReading } from '../loader/adapter-slice.ts';
import type { AdapterConfig } from '../loader/policy.ts';
import type { Project } from './project.ts';

// A JSON file of the project. What is wrong with it is said in the bundle; it never stops one.
export function readFileAdapter(config: AdapterConfig, project: Project): AdapterReading {
  const degraded = (reason: string): AdapterReading => ({ config, status: 'degraded', reason });
  const file = project.readWhole(config.path);
  if (file.status === 'missing') return degraded(`${config.path} is not there`);
  if (file.status === 'unreadable') return degraded(`${config.path} can't be read: ${file.reason}`);
  try {
    return { config, status: 'loaded', payload: JSON.parse(file.value) };
  } catch {
    return degraded(`${config.path} is no JSON`);
  }
}
