{* Shown once on this page and stored nowhere. *}
<div class="card mb-3">
  <div class="card-body">
    <h3 class="card-title">{$text.credentials|escape}</h3>
    {foreach $credentials as $one}
    <h4>{$one.display_name|escape}</h4>
    <dl class="row no-gutters">
      {if $one.url}<dt class="col-5 col-sm-4 pr-2">{$text.address|escape}</dt><dd class="col-7 col-sm-8 mb-1 text-break">{$one.url|escape}</dd>{/if}
      {if $one.username}<dt class="col-5 col-sm-4 pr-2">{$text.user_name|escape}</dt><dd class="col-7 col-sm-8 mb-1 text-break"><span class="text-monospace">{$one.username|escape}</span></dd>{/if}
      {if $one.password}<dt class="col-5 col-sm-4 pr-2">{$text.password|escape}</dt><dd class="col-7 col-sm-8 mb-1 text-break"><span class="text-monospace">{$one.password|escape}</span></dd>{/if}
      {if $one.private_key}<dt class="col-12 col-sm-4 pr-2">{$text.private_key|escape}</dt><dd class="col-12 col-sm-8 mb-1"><pre class="mb-0">{$one.private_key|escape}</pre></dd>{/if}
    </dl>
    {/foreach}
    <a class="btn btn-default" href="{$own|escape}">{$text.back|escape}</a>
  </div>
</div>
