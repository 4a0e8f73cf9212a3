import { lazy } from 'react'

/** Wanted only once somebody opens a form: no part of the first load. */
export const FormDrawer = lazy(async () => ({ default: (await import('./form-drawer.tsx')).FormDrawer }))
