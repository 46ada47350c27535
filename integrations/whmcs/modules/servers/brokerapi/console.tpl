{* Leads to the console, or asks again whether it can be opened. *}
<div class="card mb-3">
  <div class="card-body">
    {if $url}
    <meta http-equiv="refresh" content="0; url={$url|escape}">
    <a class="btn btn-primary" href="{$url|escape}" rel="noopener noreferrer">{$text.open_the_console|escape}</a>
    {else}
    <meta http-equiv="refresh" content="1; url={$again|escape}">
    <p><i class="fas fa-sync fa-spin fa-fw" aria-hidden="true"></i> {$text.the_console_is_being_opened|escape}</p>
    {/if}
    <a class="btn btn-default" href="{$own|escape}">{$text.back|escape}</a>
  </div>
</div>
