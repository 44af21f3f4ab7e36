"""The run: settings checked, notebooks executed in order by papermill."""
