import { Command } from 'commander'

/** `poolwright doctor`: what this machine has, and how to get what it lacks. */
export function doctorCommand(): Command {
  return new Command('doctor').description('show what this machine has and how to get what it lacks')
}
