import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiError, call, person } from './api/client.ts'
import { itemOptions, listOptions, meOptions, queryClient } from './api/queries.ts'
import { dropAllDrafts } from './resource/forms/draft.ts'
import { loadView } from './resource/known-views.ts'
import { readListState } from './resource/list-state.ts'
import { apiOf, resources } from './resource/resources.ts'
import { AskedAgain } from './shell/asked-again.tsx'
import { ErrorPage } from './shell/error-page.tsx'
import { orMissing } from './shell/missing-file.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageSkeleton } from './shell/page-skeleton.tsx'
import { dropRecent } from './shell/recent.ts'
import { Shell } from './shell/shell.tsx'
import { type Address, errorIn, keysOf } from './typed.ts'
import { views } from './views/views.ts'

const Root = () => (
  <>
    <Outlet />
    <AskedAgain />
  </>
)
const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound })

/** Pages before login. Each takes its link's token from behind `#`, which no log sees. */
const gates = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    component: lazyRouteComponent(
      orMissing(() => import('./pages/login.tsx')),
      'LoginPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    component: lazyRouteComponent(
      orMissing(() => import('./pages/setup.tsx')),
      'SetupPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyRouteComponent(
      orMissing(() => import('./pages/invitation.tsx')),
      'InvitationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset',
    component: lazyRouteComponent(
      orMissing(() => import('./pages/reset.tsx')),
      'ResetPage',
    ),
  }),
]

/** An application asks somebody who is logged in: outside the shell, so that nothing distracts from the question. */
const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/consent/$uid',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/consent.tsx')),
    'ConsentPage',
  ),
})

/** Whoever is not logged in does so first, and comes back by `search`. */
const whoIsThere = async (search: Address) => {
  try {
    return await queryClient.ensureQueryData(meOptions)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/login', search })
    throw error
  }
}

/** Outside the shell too: whose second factor is awaited can do nothing else. */
const factorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/second-factor.tsx')),
    'SecondFactorPage',
  ),
  beforeLoad: ({ search }) => whoIsThere(search),
})

/** Everything else wants to know who is there. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  notFoundComponent: NotFound,
  beforeLoad: async ({ location: { href } }) => {
    const { session } = await whoIsThere(returnTo(href))
    if (session?.awaited_factor) throw redirect({ to: '/second-factor', search: returnTo(href) })
  },
})

/** How long the first page may wait for what it shows until it is drawn in grey. */
const PATIENCE_MS = 500

/**
 * Whoever points at a link has its page before they press. Whoever has pressed does not wait: the page shows itself in
 * grey.
 */
function ahead(isPreload: boolean, ready: Promise<unknown>): Promise<unknown> | undefined {
  if (isPreload) return ready
  // What could not be had is told by the page, in its place.
  const done = ready.catch(() => undefined)
  const isFirst = router.state.resolvedLocation === undefined
  return isFirst ? Promise.race([done, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]) : undefined
}

const returnTo = (href: string) => (href === '/' ? {} : { return: href })

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/overview.tsx')),
    'OverviewPage',
  ),
  loader: ({ preload }) =>
    ahead(
      preload,
      import('./pages/overview.tsx').then(({ loadOverview }) => loadOverview()),
    ),
})

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/profile/profile.tsx')),
    'ProfilePage',
  ),
})

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organization',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/organization.tsx')),
    'OrganizationPage',
  ),
})

const userManagementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/user-management',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/user-management.tsx')),
    'UserManagement',
  ),
})

const whoCanOpenRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/who-can-open',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/who-can-open/who-can-open.tsx')),
    'WhoCanOpenPage',
  ),
})

const keyDeskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/key-desk',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/key-desk/key-desk.tsx')),
    'KeyDeskPage',
  ),
})

const liveRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/live',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/live/live-page.tsx')),
    'LivePage',
  ),
})

const livePlansRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/live/plans',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/live/live-plans.tsx')),
    'LivePlansPage',
  ),
})

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/import',
  component: lazyRouteComponent(
    orMissing(() => import('./pages/import/import-page.tsx')),
    'ImportPage',
  ),
})

const ListPage = lazyRouteComponent(
  orMissing(() => import('./resource/list-page.tsx')),
  'ListPage',
)
const DetailPage = lazyRouteComponent(
  orMissing(() => import('./resource/detail-page.tsx')),
  'DetailPage',
)

/** Whatever else: said inside the shell, to whoever is logged in. */
const nowhereRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound })

/** A list and a detail page for every view: whoever adds a view adds no route. */
const viewRoutes = keysOf(views).flatMap((noun) => {
  const { path } = resources[noun]
  if (path === undefined) return []
  const isManaged = path.startsWith('/user-management/')
  const parent = isManaged ? userManagementRoute : shellRoute
  const own = isManaged ? path.slice('/user-management'.length) : path
  const list = ({
    location,
    preload,
  }: {
    location: { search: Record<string, string | undefined> }
    preload: boolean
  }) => {
    const ready = loadView(views, noun).then(async (view) => {
      const { query } = readListState(view, location.search)
      if (!view.ListPage) await queryClient.prefetchQuery(listOptions(apiOf(view.resource), query))
    })
    return ahead(preload, ready)
  }
  const item = ({ params: { id }, preload }: { params: { id: string }; preload: boolean }) =>
    ahead(
      preload,
      Promise.all([loadView(views, noun), queryClient.prefetchQuery(itemOptions(apiOf(resources[noun]), id))]),
    )
  return [
    {
      isManaged,
      route: createRoute({
        getParentRoute: () => parent,
        path: own,
        component: ListPage,
        context: () => ({ noun }),
        loader: list,
      }),
    },
    {
      isManaged,
      route: createRoute({
        getParentRoute: () => parent,
        path: `${own}/$id`,
        component: DetailPage,
        context: () => ({ noun }),
        loader: item,
      }),
    },
  ]
})
const routesIn = (isManaged: boolean) =>
  viewRoutes.filter((one) => one.isManaged === isManaged).map(({ route }) => route)

const routeTree = rootRoute.addChildren([
  ...gates,
  consentRoute,
  factorRoute,
  shellRoute.addChildren([
    overviewRoute,
    whoCanOpenRoute,
    keyDeskRoute,
    liveRoute,
    livePlansRoute,
    importRoute,
    profileRoute,
    organizationRoute,
    nowhereRoute,
    userManagementRoute.addChildren(routesIn(true)),
    ...routesIn(false),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorPage error={errorIn(error)} />,
  defaultPendingComponent: PageSkeleton,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // The address speaks the API's own grammar: plain texts, nothing wrapped.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})

/** The session has ended under somebody's hands: log in, then back to where they were. */
person.logIn = () => {
  const { href, pathname } = router.state.location
  if (pathname === '/login') return
  queryClient.removeQueries({ queryKey: meOptions.queryKey })
  void router.navigate({ to: '/login', search: { state: 'expired', ...returnTo(href) } })
}

/** Nothing of the person is left behind. */
person.logOut = async () => {
  await call('/api/v1/logout', { method: 'POST', body: {}, withoutKey: true, mayBeLoggedOut: true }).catch(
    () => undefined,
  )
  dropAllDrafts()
  dropRecent()
  await router.navigate({ to: '/login', search: { state: 'logged-out' } })
  queryClient.clear()
}

/** It is demanded since, or the session was opened without: set it up or give it, then back to where they were. */
person.proveFactor = () => {
  const { href, pathname } = router.state.location
  if (pathname === '/second-factor') return
  queryClient.removeQueries({ queryKey: meOptions.queryKey })
  void router.navigate({ to: '/second-factor', search: returnTo(href) })
}
