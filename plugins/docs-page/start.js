/*
 * Starts the reference page: fetches the document that the server made for it and hands it to the renderer, with
 * everything turned off that would ask another address.
 */

/** What samples name until the page knows where it was opened. */
const ADDRESS_IN_SAMPLES = 'http://127.0.0.1:3000';

async function start() {
  const answer = await fetch('/api/docs/static/reference.json');
  const { document: content, apiKey } = JSON.parse(
    (await answer.text()).replaceAll(ADDRESS_IN_SAMPLES, window.location.origin),
  );
  const [scheme] = Object.keys(content.components.securitySchemes);
  window.Scalar.createApiReference('#reference', {
    content,
    slug: 'broker-api',
    authentication: {
      preferredSecurityScheme: scheme,
      securitySchemes: { [scheme]: { token: apiKey ?? '' } },
    },
    // Samples of our own, each of which has been run.
    hiddenClients: true,
    // The document that tools want has its address in the introduction; this one is the page's.
    documentDownloadType: 'none',
    orderSchemaPropertiesBy: 'preserve',
    modelsSectionLabel: 'Schemas',
    defaultOpenFirstTag: false,
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

start().catch((error) => {
  document.querySelector('#reference').textContent = `The reference could not be loaded: ${error.message}`;
});
