{* Shown once on this page and stored nowhere. *}
<div class="card mb-3">
  <div class="card-body">
    <h3 class="card-title">{$text.credentials|escape}</h3>
    {foreach $credentials as $one}
    <h4>{$one.display_name|escape}</h4>
    <dl class="row no-gutters">
      {foreach [[$text.address, $one.url], [$text.user_name, $one.username], [$text.password, $one.password]] as $row}
      {if $row[1]}
      <dt class="col-5 col-sm-4 pr-2">{$row[0]|escape}</dt>
      <dd class="col-7 col-sm-8 mb-1 text-break text-monospace">{$row[1]|escape}</dd>
      {/if}
      {/foreach}
      {if $one.private_key}
      <dt class="col-12 col-sm-4 pr-2">{$text.private_key|escape}</dt>
      <dd class="col-12 col-sm-8 mb-1"><pre class="mb-0">{$one.private_key|escape}</pre></dd>
      {/if}
    </dl>
    {/foreach}
    <a class="btn btn-default" href="{$own|escape}">{$text.back|escape}</a>
  </div>
</div>
