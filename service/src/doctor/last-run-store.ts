import { execute, firstRowOrNull } from '#database/statements.ts';

/** A check of `payreq doctor`, and its sentence for operators. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** The deployment works, but an operator should change something. */
  readonly warning?: true;
  readonly message: string;
}

export interface DoctorRun {
  readonly ranAt: Date;
  readonly actor: string;
  /** The version of the program that checked. */
  readonly version: string;
  readonly tookMs: number;
  readonly checks: readonly CheckResult[];
}

/** Keeps a run in place of the one before. */
export const saveDoctorRun = execute(
  'doctor-run-save',
  `INSERT INTO doctor_runs (ran_at, actor, version, took_ms, checks)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (only_row) DO UPDATE SET ran_at = excluded.ran_at, actor = excluded.actor,
     version = excluded.version, took_ms = excluded.took_ms, checks = excluded.checks`,
  ({ ranAt, actor, version, tookMs, checks }: DoctorRun) => [
    ranAt,
    actor,
    version,
    tookMs,
    JSON.stringify(checks),
  ],
);

/** The last run of `payreq doctor`; null: there was none. */
export const findDoctorRun = firstRowOrNull<DoctorRun>(
  'doctor-run-find',
  `SELECT ran_at AS "ranAt", actor, version, took_ms AS "tookMs", checks FROM doctor_runs`,
);
