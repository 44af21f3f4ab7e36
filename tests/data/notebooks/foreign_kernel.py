# ---
# jupyter:
#   kernelspec:
#     display_name: conda-env-py37-py
#     language: python
#     name: conda-env-py37-py
# ---

# %% [markdown]
# # Must run: the kernel it names is on nobody else's computer

# %% tags=["parameters"]
depth = 2

# %%
import sys

print(sys.version_info >= (3, 11), depth)
