{* Asks before an action that destroys data, for the options of an action, and where a link led here. *}
<div class="card mb-3">
  <div class="card-body">
    <h3 class="card-title">{$action.display_name|escape}</h3>
    {if $action.description}<p>{$action.description|escape}</p>{/if}
    {if $action.destroys_data}<div class="alert alert-danger">{$text.all_data_will_be_lost|escape}</div>{/if}
    <form method="post" action="clientarea.php?action=productdetails">
      <input type="hidden" name="token" value="{$token|default:''|escape}">
      <input type="hidden" name="id" value="{$id|escape}">
      <input type="hidden" name="modop" value="custom">
      <input type="hidden" name="a" value="action">
      <input type="hidden" name="broker_action" value="{$action.name|escape}">
      <input type="hidden" name="broker_proof" value="{$proof|escape}">
      {foreach $action.options as $option}
      {assign var=value value=$current[$option.name]|default:$option.default|default:''}
      {assign var=field value="broker-{$option.name}"}
      {assign var=named value="broker_options[{$option.name}]"}
      <div class="form-group">
        <label for="{$field|escape}">{$option.display_name|escape}</label>
        {if $option.type === 'choice'}
        <select class="form-control custom-select" id="{$field|escape}" name="{$named|escape}">
          {foreach $option.choices as $choice}
          <option value="{$choice.value|escape}"{if $choice.value === $value} selected{/if}>
            {$choice.display_name|escape}
          </option>
          {/foreach}
        </select>
        {elseif $option.type === 'boolean'}
        <select class="form-control custom-select" id="{$field|escape}" name="{$named|escape}">
          <option value="0">{$text.no|escape}</option>
          <option value="1"{if $value} selected{/if}>{$text.yes|escape}</option>
        </select>
        {elseif $option.type === 'number'}
        <input class="form-control" type="number" id="{$field|escape}" name="{$named|escape}" value="{$value|escape}">
        {else}
        <textarea class="form-control" rows="2" id="{$field|escape}" name="{$named|escape}">{$value|escape}</textarea>
        {/if}
      </div>
      {/foreach}
      <button class="btn {if $action.destroys_data}btn-danger{else}btn-primary{/if}">
        {$action.display_name|escape}
      </button>
      <a class="btn btn-default" href="{$own|escape}">{$text.back|escape}</a>
    </form>
  </div>
</div>
