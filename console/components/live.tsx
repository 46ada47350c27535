import type { Child } from 'hono/jsx';
import { useView } from './view.ts';

interface FollowingProps {
  /** The element with them. */
  id: string;
  /** Selectors of parts elsewhere on the page that come with it. */
  beside?: readonly string[];
  /** It is looked at every few seconds. */
  isSoon?: boolean;
}

/** The attributes of a part of a page that follows what happens (assets/console.js). */
export const following = ({ id, beside = [], isSoon = false }: FollowingProps) => ({
  'data-live': isSoon ? 'soon' : true,
  'hx-get': useView().url,
  'hx-trigger': 'refresh',
  'hx-select': `#${id}`,
  'hx-select-oob': [...beside, '#sections'].join(','),
  'hx-swap': 'outerHTML',
});

/** The part of a page that follows. */
export const Live = ({ children }: { children?: Child }) => (
  <div id="live" {...following({ id: 'live' })}>
    {children}
  </div>
);
