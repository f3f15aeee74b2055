import { programVariables } from '../files/run-program.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { ModelConfig } from '../settings/models.ts';
import type { RunSpec } from './engine.ts';
import { commandModel } from './io/command-model.ts';
import { providerModel } from './io/provider-model.ts';
import type { SomeLimits } from './limits.ts';
import type { Model } from './model.ts';

// The models that the home names. Nothing is loaded and no key is read before one of them is asked.
export function runModels(
  settings: Settings,
  { app, spec, run }: { app: AppContext; spec: Pick<RunSpec, 'project'>; run: string },
): Record<string, Model> {
  const models: Record<string, Model> = Object.create(null);
  const command = settings.text('model_command');
  if (command !== '') {
    const names = settings
      .text('model_command_env')
      .split(/[\s,]+/)
      .filter(Boolean);
    const variables = programVariables(names, app.variables, spec.project);
    models.command = commandModel({ command, cwd: spec.project, variables });
  }
  for (const config of settings.models)
    models[config.name] = {
      ...providerModel(config, { variables: app.variables, run, sleep }),
      limits: limitsIn(config),
    };
  return models;
}

function limitsIn({ maxTurns, maxContextTokens, maxOutputTokens }: ModelConfig): SomeLimits {
  return {
    ...(maxTurns === null ? {} : { turns: maxTurns }),
    ...(maxContextTokens === null ? {} : { context: maxContextTokens }),
    ...(maxOutputTokens === null ? {} : { output: maxOutputTokens }),
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(done, ms);
    function done(): void {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(clock);
      reject(signal.reason);
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}
